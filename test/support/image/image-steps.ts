import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

// Performs the steps of deploy/Dockerfile without a container engine. The build stage runs with the tools of this machine, whose Node.js
// is the one of the image; a base image is an empty folder.

const execute = promisify(execFile)

/** A stage: its file system, and how a container of it is started. */
export interface ImageStage {
  readonly root: string
  folder: string
  user: string
  readonly environment: Record<string, string>
  entrypoint: readonly string[]
  command: readonly string[]
  healthCheck: readonly string[]
}

/** Throws for an instruction that it does not know. */
export async function performSteps(dockerfile: string, context: string, scratch: string): Promise<ImageStage> {
  const stages = new Map<string, ImageStage>()
  let stage: ImageStage | undefined
  for (const [word, rest] of instructionsOf(dockerfile)) {
    if (word === 'ARG' || word === 'LABEL' || word === 'EXPOSE') continue
    if (word === 'FROM') {
      const name = / AS (\S+)$/.exec(rest)?.[1] ?? `${stages.size}`
      stage = startStage(join(scratch, name))
      stages.set(name, stage)
    } else if (stage === undefined) throw new Error(`${word} must come after FROM`)
    else if (word === 'COPY') await copy(rest, stage, { context, stages })
    else if (word === 'RUN') await run(rest, stage)
    else configure(stage, word, rest)
  }
  if (stage === undefined) throw new Error('There must be a FROM')
  return stage
}

/** With comments left out and continued lines joined. */
function instructionsOf(dockerfile: string): [word: string, rest: string][] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}

function startStage(root: string): ImageStage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  return { root, folder: '/', user: '0:0', environment: {}, entrypoint: [], command: [], healthCheck: [] }
}

function configure(stage: ImageStage, word: string, rest: string): void {
  if (word === 'WORKDIR') {
    stage.folder = rest
    mkdirSync(join(stage.root, rest), { recursive: true })
  } else if (word === 'ENV') stage.environment[rest.slice(0, rest.indexOf('='))] = rest.slice(rest.indexOf('=') + 1)
  else if (word === 'USER') stage.user = rest
  else if (word === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest)
  else if (word === 'CMD') stage.command = JSON.parse(rest)
  else if (word === 'HEALTHCHECK') stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4))
  else throw new Error(`Unknown instruction: ${word} ${rest}`)
}

interface Sources {
  readonly context: string
  readonly stages: ReadonlyMap<string, ImageStage>
}

async function copy(rest: string, stage: ImageStage, { context, stages }: Sources): Promise<void> {
  const words = rest.split(' ')
  const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = absolute(stage, paths.pop() ?? '')
  const from = stages.get(option('from') ?? '')
  const isFolder = paths.length > 1 || rest.endsWith('/')
  for (const path of paths) {
    // The image of the build stage has Node.js, an empty folder has not.
    const isNode = path === '/usr/local/bin/node'
    const source = isNode ? process.execPath : from === undefined ? join(context, path) : absolute(from, path)
    const isFile = statSync(source).isFile()
    const copied = isFile && isFolder ? join(target, basename(path)) : target
    mkdirSync(isFile ? dirname(copied) : copied, { recursive: true })
    const owner = option('chown')
    if (owner !== undefined)
      await execute('chown', ['-R', owner, ...readdirSync(source).map((name) => join(source, name))])
    await execute('cp', ['-a', '-L', isFile ? source : `${source}/.`, copied])
  }
}

/** Absolute paths outside the working folder are those of the stage. */
async function run(command: string, stage: ImageStage): Promise<void> {
  const inStage = command.replace(/(?<= )\/[\w/-]+/g, (path) => join(stage.root, path))
  const path = `${join(process.execPath, '..')}:${process.env.PATH}`
  await execute('sh', ['-c', inStage], {
    cwd: join(stage.root, stage.folder),
    env: { PATH: path, HOME: stage.root, ...npmSettings() },
    maxBuffer: 2 ** 24,
  })
}

/** Which registry and certificates npm uses on this machine. */
function npmSettings(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => /^(?:npm_config_|.*_proxy$|NODE_EXTRA_CA_CERTS$)/i.test(name))
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']))
}

function absolute(stage: ImageStage, path: string): string {
  return path.startsWith('/') ? join(stage.root, path) : join(stage.root, stage.folder, path)
}

/** Copies the files of a checkout that .dockerignore lets through. */
export function copyContext(checkout: string, files: readonly string[], target: string): void {
  const lines = readFileSync(join(checkout, '.dockerignore'), 'utf8').split('\n')
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const left = lines.filter((line) => line.startsWith('**/')).map((line) => line.slice(3))
  const isLeft = (name: string) =>
    left.some((each) => (each.startsWith('*') ? name.endsWith(each.slice(1)) : name === each))
  for (const path of files) {
    const isSent = sent.some((each) => path === each || path.startsWith(`${each}/`))
    if (isSent && !path.split('/').some(isLeft)) cpSync(join(checkout, path), join(target, path))
  }
}
