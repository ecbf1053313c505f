import { Button, Center } from '@mantine/core'
import { notifyError } from './notify.ts'

interface MoreButtonProps {
  /** An infinite query. */
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<{ isFetchNextPageError: boolean; error: unknown }>
  }
  readonly children: string
}

/** Loads the next page of a list, or says why it cannot; nothing on the last page. */
export function MoreButton({ query, children }: MoreButtonProps) {
  if (!query.hasNextPage) return null
  const more = async () => {
    const { isFetchNextPageError, error } = await query.fetchNextPage()
    if (isFetchNextPageError) notifyError(error)
  }
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={more}>
        {children}
      </Button>
    </Center>
  )
}
