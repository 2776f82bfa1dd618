// Mantine's style sheets, one per component in use; a screen that uses another adds its own line beside the import.
// In a cascade layer, so that ours win whatever the order in which screens load theirs (build/layer-order-plugin.ts).
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/VisuallyHidden.layer.css'
import 'virtual:tokens.css'
import './fonts.css'
import './base.css'
import './mantine-look.css'
