import { PageHeader } from '../../parts/PageHeader.tsx'

export function ConfirmEmailPage() {
  return <PageHeader title="Confirm your e-mail" />
}
