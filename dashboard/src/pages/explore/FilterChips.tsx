import { Button, Group } from '@mantine/core'
import { IconX } from '../../components/icons.tsx'
import classes from './explore.module.css'
import { activeFilters } from './explore-state.ts'
import { filterLabel, filterValue } from './filter-labels.ts'
import type { Explore } from './use-explore.ts'

/** One chip for each active filter, which removes it. */
export function FilterChips({ state, refine }: Explore) {
  const filters = activeFilters(state)
  if (filters.length === 0) return null
  return (
    <Group component="ul" gap={6} mt="md" aria-label="Active filters" className={classes.chips}>
      {filters.map((filter) => (
        <li key={filter}>
          <Button
            variant="light"
            size="compact-sm"
            radius="xl"
            rightSection={<IconX size={14} aria-hidden />}
            onClick={() => refine({ [filter]: undefined })}
          >
            <span className="sr-only">Remove filter: </span>
            <span>
              {filterLabel(filter)}: <bdi>{filterValue(filter, state)}</bdi>
            </span>
          </Button>
        </li>
      ))}
    </Group>
  )
}
