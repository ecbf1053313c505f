import { readdirSync, rmSync } from 'node:fs'

// After npm install: removes what the packages contain and nothing reads, a fifth of their size. Runs on Node 20 too.

/** Source maps, TypeScript sources, types of CommonJS and Flow, static libraries. Every package also has the JavaScript and the types of ES modules. */
const UNREAD_FILES = /\.(?:map|flow|d\.cts|a)$|(?<!\.d)\.tsx?$/

const UNREAD_FOLDERS = [
  // 68 MB of C++ headers.
  /^node-(?:bin-)?(?:linux|darwin|win)-[^/]+\/include$/,
  /^(?:bintrees|pino)\/test$/,
  /^kysely\/dist\/cjs$/,
  /^@mantine\/[^/]+\/cjs$/,
  /^@opentelemetry\/[^/]+\/build\/esnext$/,
  // The kinds that the chart has none of.
  /^kubernetes-models\/(?!(?:apps|autoscaling|networking\.k8s\.io|policy|v1|_schemas)(?:\/|$))[^/]+$/,
  /^@kubernetes-models\/prometheus-operator\/monitoring\.coreos\.com\/v1(?:alpha|beta)1$/,
  // The trace viewer and the recorder.
  /^playwright-core\/lib\/vite$/,
]

trim('')

/** Does not follow links, which are the workspaces of this project. */
function trim(folder) {
  for (const entry of readdirSync(`node_modules/${folder}`, { withFileTypes: true })) {
    const path = folder + entry.name
    const isUnread = entry.isDirectory() ? UNREAD_FOLDERS.some((unread) => unread.test(path)) : UNREAD_FILES.test(path)
    if (isUnread) rmSync(`node_modules/${path}`, { recursive: true })
    else if (entry.isDirectory() && entry.name !== '.cache') trim(`${path}/`)
  }
}
