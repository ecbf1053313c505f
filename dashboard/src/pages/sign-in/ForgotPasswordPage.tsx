import { PageHeader } from '../../parts/PageHeader.tsx'

export function ForgotPasswordPage() {
  return <PageHeader title="Forgot your password?" />
}
