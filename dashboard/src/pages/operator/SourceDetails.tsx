import { Code, NativeSelect, Text } from '@mantine/core'
import { Fragment } from 'react'
import type { SourceDetail, SourceView } from '../../../../src/shared/contract/sources.ts'
import { REVIEW_POLICIES, type ReviewPolicy } from '../../../../src/shared/source-vocabulary.ts'
import { useIsOperator } from '../../api/session.ts'
import { CopyField } from '../../components/CopyButton.tsx'
import { type Fact, Facts } from '../../components/Facts.tsx'
import { formatCount, formatElapsed, formatNumberOf } from '../../components/format.ts'
import { Statistics } from '../../components/Statistics.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { NextSync } from './SourceList.tsx'
import { FORMAT_LABELS, OUTCOME_LABELS, optionRows, REVIEW_POLICY_LABELS } from './source-labels.ts'
import type { SourceMutations } from './use-source-mutations.ts'

/** A source's slots, timestamps and next sync. */
export function SourceStatistics({ source }: { source: SourceDetail }) {
  const { lastSync, lastRead, lastCheckedAtMs, publishedAtMs, changedAtMs } = source
  return (
    <Statistics
      items={[
        { name: 'Slots', value: formatCount(source.slotCount), note: 'all statuses' },
        ...(lastRead?.testSlots === undefined
          ? []
          : [{ name: 'Test data', value: formatCount(lastRead.testSlots), note: 'slots, not served' }]),
        {
          name: 'Rejected',
          value: formatCount(lastRead?.rejected ?? 0),
          note: lastRead === undefined ? 'lines' : `of ${formatNumberOf(lastRead.read, 'line')}`,
        },
        {
          name: 'Last checked',
          value: agoOr(lastCheckedAtMs, 'Never'),
          note: lastSync
            ? `last sync: ${OUTCOME_LABELS[lastSync.outcome]} in ${formatElapsed(lastSync.durationMs)}`
            : 'last successful read',
        },
        {
          name: 'Feed timestamp',
          value: agoOr(publishedAtMs, 'Not provided'),
          note: 'provided by the publisher',
        },
        { name: 'Referrals', value: formatCount(source.referrals), note: 'to its booking pages, last 30 days' },
        { name: 'Last change', value: agoOr(changedAtMs, 'Never'), note: 'of its slots' },
        {
          name: 'Next sync',
          value: <NextSync source={source} />,
          note: source.failures > 0 && `after ${formatNumberOf(source.failures, 'consecutive failure')}`,
        },
      ]}
    />
  )
}

function agoOr(atMs: number | undefined, absent: string) {
  return atMs === undefined ? absent : <Timestamp at={atMs} as="ago" />
}

/** The settings of a source. */
export function SourceSettings({ source, changes }: { source: SourceView; changes: SourceMutations }) {
  const { name, slug, format, options, strict, slotsMax, createdAtMs } = source
  const canEdit = useIsOperator()
  const feed = format === 'files' ? [...FILE_FACTS, ...optionFacts(options)] : feedFacts(source, changes, canEdit)
  return (
    <Facts
      facts={[
        ...(name === undefined ? [] : [['Slug', slug] as const]),
        ['Format', FORMAT_LABELS[format]],
        ...feed,
        ['Validation', <Validation key="validation" strict={strict} />],
        ['Maximum number of slots', slotsMax === undefined ? 'A quarter of the service' : formatCount(slotsMax)],
        ['Added', <Timestamp key="added" at={createdAtMs} />],
      ]}
    />
  )
}

const FILE_FACTS: readonly Fact[] = [['Slots', 'From the most recently imported file']]

function feedFacts(source: SourceView, changes: SourceMutations, canEdit: boolean): readonly Fact[] {
  const { url, everyMinutes, format, options } = source
  const urlLabel = format === 'fhir-search' ? 'Server URL' : 'Manifest URL'
  return [
    ['URL', <CopyField key="url" value={url} label={urlLabel} />],
    ...optionFacts(options),
    ['Hold for review', <ReviewPolicyField key="hold" source={source} changes={changes} disabled={!canEdit} />],
    ['Sync interval', everyMinutes === undefined ? 'Set by the publisher' : intervalLabel(everyMinutes)],
  ]
}

/** Names only, because values may be confidential. */
function optionFacts(options: SourceView['options'] = {}): readonly Fact[] {
  return optionRows(options).map(({ name, names }) => [
    name,
    names.map((one, n) => (
      <Fragment key={one}>
        {n > 0 && ', '}
        <Code>{one}</Code>
      </Fragment>
    )),
  ])
}

function Validation({ strict }: { strict: boolean }) {
  return (
    <>
      {strict ? 'Strict' : 'Lenient'}
      <Text size="xs" c="dimmed">
        {strict
          ? 'Everything that the specification forbids is rejected.'
          : 'Known deviations are accepted; only lines that are not valid slots are rejected.'}
      </Text>
    </>
  )
}

function ReviewPolicyField(props: { source: SourceView; changes: SourceMutations; disabled: boolean }) {
  const { source, changes, disabled } = props
  return (
    <>
      <NativeSelect
        aria-label="Hold for review"
        aria-describedby="hold-note"
        maw={520}
        value={source.hold}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => changes.setHold(source.slug, value as ReviewPolicy)}
        data={REVIEW_POLICY_OPTIONS}
      />
      <Text size="xs" c="dimmed" mt={4} id="hold-note">
        Held data is not published until you approve it. Until then, the previous slots stay available.
      </Text>
    </>
  )
}

const REVIEW_POLICY_OPTIONS = REVIEW_POLICIES.map((value) => ({ value, label: REVIEW_POLICY_LABELS[value] }))

function intervalLabel(minutes: number): string {
  return minutes === 1 ? 'Every minute' : `Every ${formatCount(minutes)} minutes`
}
