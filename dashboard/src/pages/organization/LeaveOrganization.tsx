import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { api, path } from '../../api/client.ts'
import { useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/Section.tsx'
import { useLeavePage } from './leave-page.ts'

/** A member or an admin leaves. */
export function LeaveOrganization() {
  const { id, name } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const leavePage = useLeavePage()
  const leave = async () => {
    await api.post(path`/organizations/${id}/leave`)
    await leavePage()
    notifyDone(`You left ${name}.`)
  }
  return (
    <Section title="Leave" description="Keys that you made stay, and go on working.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setAsked(true)}>
          Leave {name}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Leave ${name}?`}
        confirmLabel="Leave"
        danger
        onConfirm={leave}
      >
        To come back you need a new invitation.
      </ConfirmDialog>
    </Section>
  )
}
