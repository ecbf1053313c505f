import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { keyPages, keyQuery } from '../../api/queries.ts'
import { isolated } from '../../components/names.ts'
import { maskedKey } from './key-labels.ts'

interface Choice extends Pick<SelectProps, 'label' | 'aria-label' | 'size' | 'w'> {
  readonly org: string
  /** The ID of a key. */
  readonly value: string | undefined
  readonly onChange: (key: string | undefined) => void
}

/** A filter by key: offers the first keys that match what is typed, active ones first, and shows the chosen key by its name. */
export function KeySelect({ org, value, onChange, ...props }: Choice) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const chosen = useQuery({ ...keyQuery(org, value ?? ''), enabled: value !== undefined })
  // The label of the chosen key is in the field until another text is typed.
  const isTyped = search !== '' && (chosen.data === undefined || search !== labelOfKey(chosen.data))
  const { data } = useInfiniteQuery(keyPages(org, isTyped ? { search: search.slice(0, 200) } : {}))
  const found = data?.keys ?? []
  const known = found.map((key) => ({ value: key.id, label: labelOfKey(key) }))
  const isKnown = value === undefined || known.some((key) => key.value === value)
  const other = { value: value ?? '', label: chosen.data ? labelOfKey(chosen.data) : (value ?? '') }
  return (
    <Select
      {...props}
      placeholder="All keys"
      data={isKnown ? known : [...known, other]}
      value={value ?? null}
      onSearchChange={setTyped}
      // The server has searched: a note or an ID that matches is not in the label.
      filter={({ options }) => options}
      nothingFoundMessage="No keys found"
      onChange={(key) => onChange(key ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All keys' }}
    />
  )
}

function labelOfKey(key: KeyView): string {
  return `${isolated(key.name)} (${maskedKey(key)})`
}
