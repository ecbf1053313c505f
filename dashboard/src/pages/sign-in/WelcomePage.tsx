import { PageHeader } from '../../parts/PageHeader.tsx'

export function WelcomePage() {
  return <PageHeader title="Welcome" />
}
