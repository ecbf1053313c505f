/** A response body without the links that the server adds to errors of `/v1`. */
export function withoutErrorLinks(text: string): unknown {
  const { documentation: _, requestLogUrl: __, ...rest } = JSON.parse(text)
  return rest
}
