import {
  ActionIcon,
  Button,
  Combobox,
  Loader,
  Popover,
  Stack,
  Text,
  TextInput,
  Tooltip,
  useCombobox,
} from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { placesQuery } from '../../api/queries.ts'
import { IconMapPin } from '../../components/icons.tsx'
import { CountedOption } from './CountedOption.tsx'
import classes from './explore.module.css'
import type { Field } from './FilterForm.tsx'
import { useFilterDraft } from './use-filter-draft.ts'
import { forgetReload, isReloadedToLocate, locate, MY_POSITION } from './visitor-position.ts'

/** Decimal degrees, as the API takes them. */
const COORDINATES = /^-?\d+(?:\.\d+)?\s*,\s*-?\d+(?:\.\d+)?$/

const SETTLED_AFTER_MS = 250

/** The point of the filter `near`: by ZIP code, city or coordinates, or the visitor's position. Sorts by distance. */
export function NearField({ state, refine, errorOf }: Field) {
  const value = state.place ?? state.near ?? ''
  const [draft, setDraft] = useFilterDraft(value)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const text = draft.trim()
  const isSearch = text !== '' && text !== value && !COORDINATES.test(text)
  const places = usePlaces(text, isSearch && combobox.dropdownOpened)
  const set = (near: string | undefined, place: string | undefined) => {
    combobox.closeDropdown()
    refine({ near, place, sort: near === undefined ? undefined : 'distance' })
  }
  const settle = () => {
    if (text === value) return
    if (text === '') set(undefined, undefined)
    else if (COORDINATES.test(text)) set(text.replaceAll(/\s/g, ''), undefined)
    else setDraft(value)
  }
  const submit = () => {
    const [first] = places.found?.places ?? []
    if (!isSearch) settle()
    else if (first !== undefined) set(first.near, first.name)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={(near) => set(near, places.nameOf(near))}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label="Near"
          placeholder="ZIP code or city"
          autoComplete="off"
          spellCheck={false}
          value={draft}
          error={errorOf('near')}
          onChange={(event) => {
            setDraft(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onBlur={() => {
            combobox.closeDropdown()
            settle()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setDraft(value)
            if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() !== -1) return
            event.preventDefault()
            submit()
          }}
          rightSection={<PositionButton onLocated={(near) => set(near, MY_POSITION)} />}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isSearch}>{isSearch && <Places {...places} />}</Combobox.Dropdown>
    </Combobox>
  )
}

/** The places of a text once typing pauses. */
function usePlaces(text: string, isWanted: boolean) {
  const [settled] = useDebouncedValue(text, SETTLED_AFTER_MS)
  const isSettled = settled === text
  const { data, isError } = useQuery({ ...placesQuery(text), enabled: isWanted && isSettled })
  const found = isSettled ? data : undefined
  return { found, isError, nameOf: (near: string) => found?.places.find((place) => place.near === near)?.name }
}

function Places({ found, isError }: Pick<ReturnType<typeof usePlaces>, 'found' | 'isError'>) {
  if (isError) return <Combobox.Empty>Places could not be loaded.</Combobox.Empty>
  if (found === undefined)
    return (
      <Combobox.Empty>
        <Loader size="xs" aria-label="Loading" />
      </Combobox.Empty>
    )
  if (found.hint !== undefined) return <Combobox.Empty role="status">{found.hint}</Combobox.Empty>
  return (
    <Combobox.Options className={classes.choices} aria-label="Near">
      {found.places.map(({ name, near, slots }) => (
        <CountedOption key={`${name} ${near}`} value={near} count={slots}>
          <bdi>{name}</bdi>
        </CountedOption>
      ))}
    </Combobox.Options>
  )
}

/** Asks for consent, then the browser asks again. */
function PositionButton({ onLocated }: { onLocated: (near: string) => void }) {
  const [opened, { open, close, toggle }] = useDisclosure(isReloadedToLocate())
  useEffect(forgetReload, [])
  const [message, setMessage] = useState<string>()
  const [isLocating, { open: begin, close: end }] = useDisclosure()
  const share = async () => {
    begin()
    setMessage(undefined)
    const position = await locate()
    end()
    if ('problem' in position) {
      setMessage(position.problem)
      open()
    } else {
      close()
      onLocated(position.near)
    }
  }
  return (
    <Popover
      opened={opened}
      onChange={(next) => !next && close()}
      width={280}
      position="bottom-end"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Tooltip label="Use my location">
          <ActionIcon
            variant="subtle"
            aria-label="Use my location"
            onClick={toggle}
            onMouseDown={(event) => event.preventDefault()}
          >
            <IconMapPin size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Use my location">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            Your browser will ask for your permission. Your position is rounded to about a kilometer and becomes part of
            this page's address. The service does not store it.
          </Text>
          {message !== undefined && (
            <Text size="sm" c="red" role="alert">
              {message}
            </Text>
          )}
          <Button size="xs" loading={isLocating} onClick={share}>
            Share my location
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
