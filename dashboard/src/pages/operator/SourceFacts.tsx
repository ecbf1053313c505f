import { Text } from '@mantine/core'
import type { SourceView } from '../../../../src/account/source-shapes.ts'
import { CopyField } from '../../parts/CopyButton.tsx'
import { When } from '../../parts/When.tsx'
import { formatCount } from '../usage/figures.ts'
import { Figures } from './Figures.tsx'
import { formatTook } from './figures.ts'
import classes from './operator.module.css'
import { NextSync } from './SourcesTable.tsx'
import { OUTCOME_NAMES } from './source-words.ts'

/** How a source does, in four figures. */
export function SourceFigures({ source }: { source: SourceView }) {
  const { lastSync, changedAtMs } = source
  return (
    <Figures
      figures={[
        { name: 'Slots', value: formatCount(source.slotCount), note: 'of any status' },
        {
          name: 'Last sync',
          value: lastSync ? <When at={lastSync.startedAtMs} as="ago" /> : 'Never',
          note: lastSync && `${OUTCOME_NAMES[lastSync.outcome]} in ${formatTook(lastSync.durationMs)}`,
        },
        {
          name: 'Last change',
          value: changedAtMs === undefined ? 'Never' : <When at={changedAtMs} as="ago" />,
          note: changedAtMs !== undefined && <When at={changedAtMs} />,
        },
        {
          name: 'Next sync',
          value: <NextSync source={source} />,
          note: source.failures > 0 && `after ${formatCount(source.failures)} failed in a row`,
        },
      ]}
    />
  )
}

/** What was said when it was added. */
export function SourceFacts({ source }: { source: SourceView }) {
  return (
    <dl className={classes.facts}>
      {source.format === 'files' ? <OfFiles /> : <OfFeed source={source} />}
      <dt>Reading</dt>
      <dd>
        {source.strict ? 'Strict' : 'Lenient'}
        <Text size="xs" c="dimmed">
          {source.strict
            ? 'What the specification forbids is rejected.'
            : 'Known deviations are read; only what cannot be a slot is rejected.'}
        </Text>
      </dd>
      <dt>Added</dt>
      <dd>
        <When at={source.createdAtMs} />
      </dd>
    </dl>
  )
}

function OfFeed({ source: { url, everyMinutes } }: { source: SourceView }) {
  return (
    <>
      <dt>Address</dt>
      <dd>
        <CopyField value={url} label="Address of the manifest" />
      </dd>
      <dt>Synced</dt>
      <dd>{everyMinutes === undefined ? 'As often as its publisher says' : everyWords(everyMinutes)}</dd>
    </>
  )
}

function OfFiles() {
  return (
    <>
      <dt>Slots</dt>
      <dd>Those of the file that was imported last</dd>
    </>
  )
}

function everyWords(minutes: number): string {
  return minutes === 1 ? 'Every minute' : `Every ${formatCount(minutes)} minutes`
}
