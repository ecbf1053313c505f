import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OperatorView } from '../../../../src/shared/contract/operator.ts'
import type { OperatorRole } from '../../../../src/shared/permissions.ts'
import { call } from '../../api/client.ts'
import { operatorsQuery } from '../../api/operator-queries.ts'
import { meQuery } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { IconEye, IconShieldCheck } from '../../components/icons.tsx'
import { notifyError, notifySuccess } from '../../components/notify.ts'
import { PersonActions } from '../../components/PersonActions.tsx'

/** Changes the role of an operator or viewer, or removes it. Operators of the configuration change there only. */
export function OperatorActions({ operator }: { operator: OperatorView }) {
  const { name, role } = operator
  const { setRole, remove } = useOperatorChanges(operator)
  if (operator.addedAtMs === undefined) return null
  const other = role === 'operator' ? 'viewer' : 'operator'
  const otherRole =
    other === 'operator'
      ? { label: 'Make operator', icon: <IconShieldCheck size={16} aria-hidden /> }
      : { label: 'Make viewer', icon: <IconEye size={16} aria-hidden /> }
  return (
    <PersonActions
      name={name}
      otherRole={otherRole}
      isChanging={setRole.isPending}
      onChangeRole={() => setRole.mutate(other)}
      onRemove={remove}
    >
      {operator.email} can no longer open the operator's pages. The account and its organizations stay.
    </PersonActions>
  )
}

function useOperatorChanges({ userId, name }: OperatorView) {
  const me = useMe()
  const queryClient = useQueryClient()
  const params = { user: userId }
  const isMe = me.userId === userId
  const refetch = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    queryClient.invalidateQueries({ queryKey })
  const setRole = useMutation({
    mutationFn: (role: OperatorRole) => call('PATCH /api/operator/operators/:user', { params, body: { role } }),
    onSuccess: async (_, role) => {
      await refetch(operatorsQuery)
      if (isMe) await refetch(meQuery)
      notifySuccess(`${name} is now ${role === 'operator' ? 'an operator' : 'a viewer'}.`)
    },
    onError: notifyError,
  })
  const remove = async () => {
    await call('DELETE /api/operator/operators/:user', { params })
    // A removed operator may not see the list.
    await refetch(isMe ? meQuery : operatorsQuery)
    notifySuccess(`${name} is no longer an operator or a viewer.`)
  }
  return { setRole, remove }
}
