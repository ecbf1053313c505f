import { PageHeader } from '../../parts/PageHeader.tsx'

export function AuditPage() {
  return <PageHeader title="Audit log" />
}
