import { PageHeader } from '../../parts/PageHeader.tsx'

export function ResetPasswordPage() {
  return <PageHeader title="Choose a new password" />
}
