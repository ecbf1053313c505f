import { PageHeader } from '../../parts/PageHeader.tsx'

export function OrganizationsPage() {
  return <PageHeader title="Organizations" />
}
