import { Anchor, Group, Text } from '@mantine/core'
import { operatorLinks } from '../../../src/shared/service-identity.ts'
import { service } from '../api/service.ts'
import { useDocsUrl, useOptions } from '../api/session.ts'
import classes from './layout.module.css'

/** Links of the documentation and of the operator, and the version of the service. */
export function PageFooter() {
  const { version } = useOptions()
  const docs = useDocsUrl()
  return (
    <footer className={classes.footer}>
      <Group gap="4px 16px" justify="space-between">
        <Group component="nav" gap="2px 16px" aria-label="Documentation">
          <Anchor size="xs" c="dimmed" py={4} display="inline-block" href={docs}>
            Documentation
          </Anchor>
          <Anchor size="xs" c="dimmed" py={4} display="inline-block" href={`${docs}/slots`}>
            Listing slots
          </Anchor>
          <Anchor size="xs" c="dimmed" py={4} display="inline-block" href={`${docs}/limits`}>
            Limits and pricing
          </Anchor>
          <Anchor size="xs" c="dimmed" py={4} display="inline-block" href={`${docs}/key-safety`}>
            Key safety
          </Anchor>
        </Group>
        <Group gap="2px 16px">
          <Operator />
          <Text size="xs" c="dimmed">
            Version {version}
          </Text>
        </Group>
      </Group>
    </footer>
  )
}

function Operator() {
  const links = operatorLinks(service)
  if (links.length === 0) return null
  return (
    <Group component="nav" gap="2px 16px" aria-label="Operator">
      {links.map(({ text, href }) => (
        <Anchor key={text} size="xs" c="dimmed" py={4} display="inline-block" href={href}>
          {text}
        </Anchor>
      ))}
    </Group>
  )
}
