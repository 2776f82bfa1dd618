import { afterEach } from 'vitest'
import '../src/ui/theme/styles.ts'
import { closeScreen } from './screen.tsx'

afterEach(closeScreen)
