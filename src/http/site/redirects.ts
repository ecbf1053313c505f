import type { ServiceIdentity } from '../../shared/service-identity.ts'

/** Addresses that people try, and the pages that they mean. */
const PAGES: Readonly<Record<string, string>> = {
  '/pricing': '/docs/limits',
  '/limits': '/docs/limits',
  '/changelog': '/docs/changelog',
  '/security': '/docs/security',
  '/reference': '/docs/api',
  '/quickstart': '/docs/quickstart',
  '/login': '/app/sign-in',
  '/sign-in': '/app/sign-in',
  '/signup': '/app/sign-up',
  '/sign-up': '/app/sign-up',
}

/** Where these addresses lead: to pages of the site, and to those of the operator. */
export function redirectsOf({ termsUrl, privacyUrl }: Pick<ServiceIdentity, 'termsUrl' | 'privacyUrl'>) {
  return {
    ...PAGES,
    ...(termsUrl !== undefined && { '/terms': termsUrl }),
    ...(privacyUrl !== undefined && { '/privacy': privacyUrl }),
  }
}
