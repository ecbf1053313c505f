import { PageHeader } from '../../parts/PageHeader.tsx'

export function AccountPage() {
  return <PageHeader title="Your account" />
}
