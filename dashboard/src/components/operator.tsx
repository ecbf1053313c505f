import { Anchor, Text } from '@mantine/core'
import { contactText } from '../../../src/shared/service-identity.ts'
import { service } from '../api/service.ts'

/** The operator's contact as a link; "your administrator" without one. */
export function OperatorContact() {
  const { contact } = service
  if (contact === undefined) return <>your administrator</>
  return (
    <Anchor inherit underline="always" href={contact}>
      {contactText(contact)}
    </Anchor>
  )
}

/** For the end of error pages. Renders nothing without a contact. */
export function HelpLine() {
  if (service.contact === undefined) return null
  return (
    <Text c="dimmed" size="sm" ta="center">
      Need help? Contact <OperatorContact />.
    </Text>
  )
}

/** For people who create an account. Renders nothing without terms and privacy notice. */
export function TermsNote() {
  const { termsUrl, privacyUrl } = service
  const terms = termsUrl && (
    <Anchor inherit underline="always" href={termsUrl}>
      terms
    </Anchor>
  )
  const privacy = privacyUrl && (
    <Anchor inherit underline="always" href={privacyUrl}>
      privacy notice
    </Anchor>
  )
  if (!terms && !privacy) return null
  return (
    <Text size="xs" c="dimmed">
      {terms && <>By creating an account, you agree to the {terms}. </>}
      {privacy && <>How your data is used: {privacy}.</>}
    </Text>
  )
}
