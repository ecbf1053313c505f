// Applies the stored color scheme, or the system's, before the first paint. Shares its storage key with
// the dashboard (Mantine) and the site.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is blocked: use the system's scheme.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const page = document.documentElement
  page.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  // The dashboard's frame before its code has come: with navigation or as one column.
  if (!/^\/app(?:$|\/(?:o|operator|account|explore)(?:\/|$))/.test(location.pathname)) page.dataset.start = 'column'
})()
