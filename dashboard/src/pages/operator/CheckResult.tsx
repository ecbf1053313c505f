import { Alert, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { SourceCheck } from '../../../../src/shared/shapes.ts'
import { PageLink } from '../../parts/links.tsx'
import { formatCount } from '../usage/figures.ts'

/** What a manifest lists, by type, or why it cannot be read. */
export function CheckResult({ outcome, url }: { outcome: SourceCheck; url: string }) {
  const types = [...new Set(outcome.files.map(({ type }) => type))]
  return (
    <Alert
      color={outcome.ok ? 'teal' : 'red'}
      icon={outcome.ok ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={outcome.ok ? 'The manifest can be read' : 'The manifest cannot be read'}
    >
      <Stack gap={6}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {outcome.message}
        </Text>
        {types.map((type) => (
          <FilesOf key={type} type={type} outcome={outcome} />
        ))}
        <Text size="sm">
          This is about the manifest alone:{' '}
          <PageLink to="/app/operator/check" search={{ url }} underline="always" c="inherit">
            check the whole feed
          </PageLink>
          .
        </Text>
      </Stack>
    </Alert>
  )
}

function FilesOf({ type, outcome }: { type: string; outcome: SourceCheck }) {
  const files = outcome.files.filter((file) => file.type === type)
  const states = [...new Set(files.flatMap((file) => file.states))].toSorted()
  return (
    <Text size="sm">
      <Code c="inherit">{type}</Code> {files.length === 1 ? 'one file' : `${formatCount(files.length)} files`}
      {states.length > 0 && ` for ${states.join(', ')}`}
    </Text>
  )
}
