import { Button, Center } from '@mantine/core'

interface MoreButtonProps {
  /** An infinite query. */
  readonly query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  readonly children: string
}

/** Loads the next page of a list; nothing on the last page. */
export function MoreButton({ query, children }: MoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </Center>
  )
}
