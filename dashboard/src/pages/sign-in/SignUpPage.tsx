import { PageHeader } from '../../parts/PageHeader.tsx'

export function SignUpPage() {
  return <PageHeader title="Create an account" />
}
