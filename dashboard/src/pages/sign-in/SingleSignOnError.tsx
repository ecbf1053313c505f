import { Alert } from '@mantine/core'
import { focusHeadingWhenGone } from '../../components/use-restore-focus.ts'

/** Why the identity provider, or the service, refused a single sign-on: `?error=` and `?error_description=`. */
export function SingleSignOnError(props: { error: string; description: string | undefined; onClose?: () => void }) {
  const { error, description, onClose } = props
  return (
    <Alert
      color="red"
      role="alert"
      ref={focusHeadingWhenGone}
      title={TITLES.get(error) ?? 'Single sign-on failed'}
      {...(onClose && { withCloseButton: true, closeButtonLabel: 'Close', onClose, mb: 'lg' })}
    >
      {errorMessage(error, description)}
    </Alert>
  )
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ['account_suspended', 'This account is suspended'],
  ['email_not_verified', 'Verify your email address'],
])

/** Quotes the URL's text, because anyone can craft a link. */
function errorMessage(error: string, description: string | undefined): string {
  if (error === 'access_denied') return 'You canceled at the identity provider. Try again, or use another way.'
  if (error === 'account_suspended') return `Reason: “${description ?? ''}”. Contact the operator of this service.`
  if (error === 'email_not_verified')
    return 'The identity provider does not confirm your email address. Open the link that we sent to it.'
  if (!description) return 'The identity provider denied the sign-in. Try again, or use another way.'
  return `The identity provider responded: “${description}”`
}
