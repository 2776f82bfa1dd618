import './ui/theme/styles.ts'
import { createRoot } from 'react-dom/client'
import { newApp } from './app/app.tsx'
import { registerServiceWorker } from './app/service-worker.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(newApp())
registerServiceWorker()
