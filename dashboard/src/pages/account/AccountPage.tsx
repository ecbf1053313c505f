import { PageHeader } from '../../parts/PageHeader.tsx'
import { DeleteSection } from './DeleteSection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { NameSection } from './NameSection.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'
import { SessionSection } from './SessionSection.tsx'

/** Everything about the visitor's own account. */
export function AccountPage() {
  return (
    <>
      <PageHeader title="Your account">How you sign in, and where you are signed in.</PageHeader>
      <NameSection />
      <EmailSection />
      <PasswordSection />
      <PasskeySection />
      <SecondFactorSection />
      <SessionSection />
      <DeleteSection />
    </>
  )
}
