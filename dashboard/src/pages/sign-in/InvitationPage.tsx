import { PageHeader } from '../../parts/PageHeader.tsx'

export function InvitationPage() {
  return <PageHeader title="Invitation" />
}
