/** The frame of the page while the first code and data load: the same elements as in app.html, which shows them before any script. */
export function StartFrame() {
  return (
    <div className="start">
      <div className="start-header">
        <img src="/favicon.svg" width={26} height={26} alt="" />
      </div>
      <div className="start-navigation" />
      <main id="main" className="start-main" aria-busy="true">
        <span className="sr-only" role="status">
          Loading
        </span>
        <div className="start-block" />
        <div className="start-block" />
        <div className="start-block" />
      </main>
    </div>
  )
}
