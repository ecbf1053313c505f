import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { SuggestedFilter } from '../../../../src/slot/filter-parameters.ts'
import { suggestionsQuery } from '../../api/queries.ts'
import { CountedOption } from './CountedOption.tsx'
import classes from './explore.module.css'
import { slotParameters } from './explore-state.ts'
import type { Field } from './FilterForm.tsx'
import { useFilterDraft } from './use-filter-draft.ts'

/** Shorter pauses of typing do not ask the service. */
const SETTLED_AFTER_MS = 200

/** A text field that suggests the values among the slots that match the other filters, each with its number of slots. */
export function SuggestField(props: Field & { name: SuggestedFilter; label: string; placeholder: string }) {
  const { state, refine, errorOf, name, label, placeholder } = props
  const value = state[name] ?? ''
  const [draft, setDraft] = useFilterDraft(value)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const settle = (text: string) => {
    combobox.closeDropdown()
    setDraft(text)
    if (text !== value) refine({ [name]: text === '' ? undefined : text })
  }
  return (
    <Combobox store={combobox} onOptionSubmit={settle}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={draft}
          error={errorOf(name)}
          onChange={(event) => {
            setDraft(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => settle(draft.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setDraft(value)
            if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() !== -1) return
            event.preventDefault()
            settle(draft.trim())
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        {combobox.dropdownOpened && (
          <Options state={state} name={name} label={label} text={draft === value ? '' : draft} />
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Options(props: Pick<Field, 'state'> & { name: SuggestedFilter; label: string; text: string }) {
  const { state, name, text } = props
  const [settled] = useDebouncedValue(text, SETTLED_AFTER_MS)
  const { [name]: _own, sort: _sort, limit: _limit, offset: _offset, ...others } = slotParameters(state)
  const { data, isError } = useQuery(suggestionsQuery({ ...others, filter: name, text: settled.trim() }))
  if (isError) return <Combobox.Empty>Suggestions could not be loaded.</Combobox.Empty>
  if (data === undefined)
    return (
      <Combobox.Empty>
        <Loader size="xs" aria-label="Loading" />
      </Combobox.Empty>
    )
  return (
    <>
      <Combobox.Options className={classes.choices} aria-label={props.label}>
        {data.values.length === 0 && <Combobox.Empty>No slots have such a value.</Combobox.Empty>}
        {data.values.map(({ value, label, count }) => (
          <CountedOption key={value} value={value} count={count}>
            <bdi>{label ?? value}</bdi>
            {label !== undefined && (
              <Text size="xs" c="dimmed" truncate>
                {value}
              </Text>
            )}
          </CountedOption>
        ))}
      </Combobox.Options>
      {(data.hasMore || data.isPartial) && (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            {data.isPartial
              ? 'These are from part of the slots. Choose a publisher or a state to see all.'
              : 'There are more. Type to find one.'}
          </Text>
        </Combobox.Footer>
      )}
    </>
  )
}
