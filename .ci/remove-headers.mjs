import { readdirSync, rmSync } from 'node:fs'

// After npm install: the C++ headers of the Node.js package are 68 MB that nothing compiles against. Runs on Node 20 too.
for (const name of readdirSync('node_modules')) {
  if (/^node-(?:bin-)?(?:linux|darwin|win)-/.test(name))
    rmSync(`node_modules/${name}/include`, { recursive: true, force: true })
}
