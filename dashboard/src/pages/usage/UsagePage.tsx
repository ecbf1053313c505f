import { PageHeader } from '../../parts/PageHeader.tsx'

export function UsagePage() {
  return <PageHeader title="Usage" />
}
