/** A response body without what errors of `/v1` say to a caller beside the fault: the links that the server adds. */
export function withoutErrorLinks(text: string): unknown {
  const { documentation: _, requestLogUrl: __, ...rest } = JSON.parse(text)
  return rest
}
