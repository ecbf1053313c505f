import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './api/query-client.ts'
import { makeRouter } from './make-router.ts'
import { cssVariables, theme } from './theme.ts'

const queryClient = makeQueryClient()
const router = makeRouter(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('Cannot start the dashboard: app.html must have an element with the id root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
