import { PageHeader } from '../../parts/PageHeader.tsx'

export function SetupPage() {
  return <PageHeader title="Become the operator" />
}
