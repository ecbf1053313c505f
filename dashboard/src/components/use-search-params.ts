import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Readonly<Record<string, string | undefined>>

/**
 * The query parameters of the page's URL, and a function that changes some of them; undefined removes a parameter. Page
 * state is kept there so that it can be linked to and survives a reload. Pages must validate the values. While another page
 * loads, this one keeps its own parameters.
 */
export function useSearchParams(): readonly [search: Search, change: (values: Search) => void] {
  const search = useSearch({ strict: false }) as Search
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

/** The value if it is allowed, else the first allowed value. */
export function oneOfOrFirst<T extends string>(allowed: readonly T[], value: string | undefined): T {
  return allowed.find((one) => one === value) ?? allowed[0]
}
