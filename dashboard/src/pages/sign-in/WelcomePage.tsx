import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { useSignOut } from '../../api/sign-in.ts'
import { PageLink } from '../../components/links.tsx'
import { isolated } from '../../components/names.ts'
import { FormError } from '../../components/states.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'
import { AuthCard } from './AuthCard.tsx'

/** Creates an organization: the visitor's first, or another. */
export function WelcomePage() {
  const me = useMe()
  const isFirst = me.organizations.length === 0
  const signOut = useSignOut()
  return (
    <AuthCard
      title={isFirst ? `Welcome, ${isolated(me.name)}` : 'New organization'}
      lead={
        isFirst
          ? 'An organization holds your API keys and the people you share them with. Name it to create your first key.'
          : 'It has its own keys, members and usage. You will be its owner.'
      }
      below={
        isFirst ? (
          <>
            Signed in as {me.email}.
            <Anchor component="button" type="button" size="sm" underline="always" onClick={() => signOut()}>
              Sign out
            </Anchor>
          </>
        ) : (
          <PageLink to="/app">Back to your organizations</PageLink>
        )
      }
    >
      <OrganizationForm />
    </AuthCard>
  )
}

function OrganizationForm() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: rules.name('a name for your organization') },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ name }) => {
    const { id } = await call('POST /api/organizations', { body: { name: name.trim() } })
    await queryClient.invalidateQueries({ queryKey: ['me'] })
    await navigate({ to: '/app/o/$org/keys', params: { org: id }, replace: true })
  })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <TextInput
          label="Organization name"
          description="Your company, team or project. You can change it later."
          placeholder="Example Health"
          autoComplete="organization"
          required
          {...form.getInputProps('name')}
        />
        <FormError error={error} />
        <Button type="submit" loading={busy}>
          Create organization
        </Button>
      </Stack>
    </form>
  )
}
