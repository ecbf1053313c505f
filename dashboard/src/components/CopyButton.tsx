import { ActionIcon, Button, Code, Group, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useEffect } from 'react'
import classes from './components.module.css'
import { IconCheck, IconCopy } from './icons.tsx'
import { notifyFailure } from './notify.ts'

/**
 * Copies a text and confirms it, or says that the browser refuses, as it does without https. An icon, or a button with a label if
 * `children` is given. `label` names the text: "Copy key".
 */
export function CopyButton(props: { value: string; label: string; children?: string; variant?: string }) {
  const clipboard = useClipboard({ timeout: 2000 })
  const copy = () => clipboard.copy(props.value)
  useEffect(() => {
    if (clipboard.error) notifyFailure("Couldn't copy. Select the text and copy it yourself.")
  }, [clipboard.error])
  const icon = clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
  if (props.children) {
    return (
      <>
        <Button variant={props.variant ?? 'default'} leftSection={icon} onClick={copy} aria-label={props.label}>
          {clipboard.copied ? 'Copied' : props.children}
        </Button>
        <CopiedLabel copied={clipboard.copied} />
      </>
    )
  }
  return (
    <>
      <Tooltip label={clipboard.copied ? 'Copied' : props.label}>
        <ActionIcon variant={props.variant ?? 'subtle'} color="gray" onClick={copy} aria-label={props.label}>
          {icon}
        </ActionIcon>
      </Tooltip>
      <CopiedLabel copied={clipboard.copied} />
    </>
  )
}

/** A text such as a link or a key in one line, with a copy button. */
export function CopyField(props: { value: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="stretch" className={classes.copyField}>
      <Code className={classes.copyValue} tabIndex={0} role="textbox" aria-readonly aria-label={props.label}>
        {props.value}
      </Code>
      <CopyButton value={props.value} label={`Copy ${props.label.toLowerCase()}`}>
        Copy
      </CopyButton>
    </Group>
  )
}

function CopiedLabel(props: { copied: boolean }) {
  return (
    <span className="sr-only" role="status">
      {props.copied ? 'Copied to clipboard' : ''}
    </span>
  )
}
