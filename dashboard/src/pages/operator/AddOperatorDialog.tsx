import { Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { OPERATOR_ROLES, type OperatorRole } from '../../../../src/shared/permissions.ts'
import { call } from '../../api/client.ts'
import { operatorsQuery } from '../../api/operator-queries.ts'
import { FormButtons } from '../../components/FormButtons.tsx'
import { FormModal } from '../../components/FormModal.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { useReturnFocus } from '../../components/use-return-focus.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { rules } from '../../components/validation.ts'

const ROLES: Readonly<Record<OperatorRole, readonly [label: string, description: string]>> = {
  operator: ['Operator', 'Changes sources, accounts and other operators.'],
  viewer: ['Viewer', 'Sees the same pages and changes nothing.'],
}

/** Gives the owner of an account a role in the service. */
export function AddOperatorDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { email: '', role: 'viewer' as OperatorRole },
    validate: { email: rules.email },
  })
  const { formProps, busy, error } = useSubmit(form, async ({ email, role }) => {
    await call('POST /api/operator/operators', { body: { email: email.trim(), role } })
    await queryClient.invalidateQueries({ queryKey: operatorsQuery.queryKey })
    notifySuccess(`${email.trim()} is now ${role === 'operator' ? 'an operator' : 'a viewer'}.`)
    onClose()
  })
  return (
    <FormModal opened onClose={onClose} title="Add an operator or viewer">
      <form {...formProps}>
        <Stack gap="md">
          <TextInput
            label="Email"
            description="The person needs an account with this verified address."
            type="email"
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          <Radio.Group label="Role" {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              {OPERATOR_ROLES.map((role) => (
                <Radio key={role} value={role} label={ROLES[role][0]} description={ROLES[role][1]} />
              ))}
            </Stack>
          </Radio.Group>
          <FormButtons busy={busy} error={error}>
            Add
          </FormButtons>
        </Stack>
      </form>
    </FormModal>
  )
}
