import { useOptions } from '../../api/session.ts'

/** The address of a page of the documentation, wherever this service has it: `useDocsPage('errors')`. */
export function useDocsPage(name: string): string {
  return `${useOptions().docsUrl.replace(/\/$/, '')}/${name}`
}
