import { PageHeader } from '../../parts/PageHeader.tsx'

export function TwoFactorPage() {
  return <PageHeader title="Second factor" />
}
