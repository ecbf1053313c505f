import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../../parts/states.tsx'

/** A search without a result, and the way back. */
export function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title="Nothing found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      Nothing contains “{search.trim()}”. Try fewer letters.
    </EmptyState>
  )
}
