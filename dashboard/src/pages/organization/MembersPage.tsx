import { PageHeader } from '../../parts/PageHeader.tsx'

export function MembersPage() {
  return <PageHeader title="Members" />
}
