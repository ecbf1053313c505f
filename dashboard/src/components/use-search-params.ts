import { useLocation, useNavigate } from '@tanstack/react-router'

type Search = Readonly<Record<string, string | undefined>>

/**
 * What stands behind the question mark of the address, and a way to change some of it; undefined removes a parameter. What a page
 * shows is kept there, so that it can be linked to and survives loading anew. The page checks the values: anybody can type them.
 */
export function useSearchParams(): readonly [search: Search, change: (values: Search) => void] {
  const search = useLocation({ select: (location) => location.search as Search })
  const navigate = useNavigate()
  const change = (values: Search) => {
    void navigate({
      to: '.',
      search: (previous: Search) => ({ ...previous, ...values }) as never,
      replace: true,
      resetScroll: false,
    })
  }
  return [search, change]
}

/** The value if it is one of those allowed, else the first of them. */
export function oneOfOrFirst<T extends string>(allowed: readonly T[], value: string | undefined): T {
  return allowed.find((one) => one === value) ?? allowed[0]
}
