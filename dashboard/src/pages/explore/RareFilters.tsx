import { Fieldset, Select, SimpleGrid, Stack } from '@mantine/core'
import classes from './explore.module.css'
import type { Field } from './FilterForm.tsx'
import { exampleOf, RARE_GROUPS, type RareField } from './rare-filters.ts'
import { SettledInput } from './SettledInput.tsx'

/** The filters that few need, by what they are about. */
export function RareFilters(field: Field) {
  return (
    <Stack gap="sm" pt="md">
      {RARE_GROUPS.map(({ legend, fields }) => (
        <Fieldset
          key={legend}
          legend={legend}
          variant="unstyled"
          classNames={{ root: classes.group, legend: classes.legend }}
        >
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            {fields.map((rare) =>
              rare.words === undefined ? (
                <RareText key={rare.name} {...field} rare={rare} />
              ) : (
                <RareChoice key={rare.name} {...field} rare={rare} words={rare.words} />
              ),
            )}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Stack>
  )
}

function RareText({ state, refine, faultOf, rare }: Field & { rare: RareField }) {
  const { name, label, needs } = rare
  return (
    <SettledInput
      label={label}
      placeholder={exampleOf(name)}
      value={state[name] ?? ''}
      onSettle={(text) => refine({ [name]: text.trim() || undefined })}
      error={faultOf(name)}
      // What came by the address can be taken out all the same.
      disabled={needs !== undefined && state[needs] === undefined && state[name] === undefined}
    />
  )
}

function RareChoice(props: Field & { rare: RareField; words: Readonly<Record<string, string>> }) {
  const { state, refine, faultOf, rare, words } = props
  const { name, label } = rare
  const value = state[name] ?? null
  const known = Object.entries(words).map(([value, label]) => ({ value, label }))
  const choices = value === null || value in words ? known : [{ value, label: value }, ...known]
  return (
    <Select
      label={label}
      placeholder="Any"
      data={choices}
      value={value}
      onChange={(chosen) => refine({ [name]: chosen ?? undefined })}
      error={faultOf(name)}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: any` }}
    />
  )
}
