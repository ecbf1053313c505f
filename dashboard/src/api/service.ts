import { type ServiceIdentity, UNNAMED_SERVICE } from '../../../src/shared/service-identity.ts'

/** The operator of the service: written into the page, so that pages for errors know it, too. */
export const service: ServiceIdentity = readService()

/** The development server leaves the placeholder in the page. */
function readService(): ServiceIdentity {
  const content = document.querySelector<HTMLMetaElement>('meta[name="service-identity"]')?.content ?? ''
  return content.startsWith('{') ? JSON.parse(content) : UNNAMED_SERVICE
}
