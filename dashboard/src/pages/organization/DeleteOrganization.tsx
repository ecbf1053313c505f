import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { api, path } from '../../api/client.ts'
import { useOrganization } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Section } from '../../parts/Section.tsx'
import { useLeavePage } from './leave-page.ts'

/** The owner deletes the organization; its name must be typed. */
export function DeleteOrganization() {
  const { id, name } = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const leavePage = useLeavePage()
  const remove = async () => {
    await api.remove(path`/organizations/${id}`, { name })
    await leavePage()
    notifyDone(`${name} is deleted.`)
  }
  return (
    <Section title="Delete" description="All its keys are refused at once. This cannot be taken back.">
      <Group>
        <Button color="red" variant="outline" onClick={() => setAsked(true)}>
          Delete {name}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Delete ${name}?`}
        confirmLabel="Delete organization"
        danger
        typedName={name}
        onConfirm={remove}
      >
        Its keys, members, usage and audit log go with it. Whoever calls the service with one of its keys gets
        a 401 from that moment.
      </ConfirmDialog>
    </Section>
  )
}
