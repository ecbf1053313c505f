import { PageHeader } from '../../parts/PageHeader.tsx'

export function KeysPage() {
  return <PageHeader title="API keys" />
}
