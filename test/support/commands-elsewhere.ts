/** The test file that runs a documented command, or the reason why none does. */
export type Elsewhere = { readonly test: string } | { readonly reason: string }

const CLOUD = { reason: 'needs a registry and a published release' }
const DOCKER = { reason: 'needs Docker and a registry' }
const SUITE = { reason: 'starts tests, of which this is one' }
const LONG = { reason: 'takes longer than a test may: started on demand' }

/** Documented commands that documented-commands.full.test.ts does not run. Each expression matches a command in full. */
export const COMMANDS_ELSEWHERE: readonly (readonly [RegExp, Elsewhere])[] = [
  [/npm ci( --omit=dev)?/, { test: 'test/release.full.test.ts' }],
  [/npm install --global .+/, { test: 'test/release.full.test.ts' }],
  [/npm start|slots serve/, { test: 'test/release.full.test.ts' }],
  [/.* restore \/backups\/.+/, { test: 'test/release.full.test.ts' }],
  [/git checkout v<version> && .+/, { reason: 'the tests of upgrades build each version in a clean clone' }],
  [/(npm ci && )?npm run demo/, { test: 'demo/demo.test.ts' }],
  [/(npm ci && )?npm test( .+)?|npm run test:full|AXE_SCHEMES=.+|bash \.ci\/run/, SUITE],
  [/((CONTRACT|CONFORMANCE|FUZZ)_\w+=\d+ )?npx node --test (test|src)\/.+/, SUITE],
  [/TEST_DATABASE_URL=.+/, { reason: 'needs a PostgreSQL server that others run' }],
  [
    /npm run (torture|soak|bench)( .+)?|npx node bench\/drop-alarms\.ts|npx node --expose-gc bench\/hard-data\.ts .+/,
    LONG,
  ],
  [/npm run screenshots .+/, LONG],
  [/npm run dashboard:dev/, { reason: 'serves until it is stopped, from sources that the tests build' }],
  [/npm run (build|types|format)/, { reason: 'a step of .ci/run, or done before the tests' }],
  [/npm run docs:modules/, { test: 'test/dependency-rules.test.ts' }],
  [/npm run client:api/, { test: 'client/build/generate-api.test.ts' }],
  [/npm run client:build|npm pack -w client|npm install/, { test: 'client/build/build-package.full.test.ts' }],
  [/npm run sbom( .+)?/, { test: 'test/dependencies.test.ts' }],
  [/npm run release -- \S+( --tag)?/, { test: 'test/release.full.test.ts' }],
  [/npm (outdated|audit .+)/, { reason: 'asks the package registry' }],
  [/git push origin .+/, { reason: 'publishes' }],
  [/cosign verify.*|gh attestation .+/, CLOUD],
  [/node=node:\S+ .+|digest\(\) .+|docker build .+/, DOCKER],
  [/helm upgrade/, { test: 'test/helm-chart.full.test.ts' }],
  [/patronictl .+/, { reason: 'needs Patroni: tried by the torture test on demand' }],
  [/pg_(dump|restore) .+/, { test: 'test/postgres/restore.full.test.ts' }],
  [/psql .+/, { reason: 'needs the client of PostgreSQL' }],
  [/.*slots (-- )?(account|org transfer) .+/, { test: 'src/cli/accounts.test.ts' }],
  [/.*slots (-- )?source approve .+/, { test: 'src/cli/source-health.test.ts' }],
  [/.* move --from .+/, { test: 'test/move.full.test.ts' }],
  [
    /DRILL=.+|export DATABASE_URL=.+|.*"?\$DRILL\/.+|SUBSCRIPTIONS_MAX=0 .+/,
    { test: 'test/restore-drill.full.test.ts' },
  ],
  [/claude mcp add .+/, { test: 'test/mcp-guide.full.test.ts' }],
  [/curl .+\/v1\/scheduling\/subscriptions.+|node receiver\.mts/, { test: 'test/webhook-guide.full.test.ts' }],
  [/curl .+text\/event-stream"/, { test: 'test/stream-examples.full.test.ts' }],
  [/curl .+\/v1\/.+/, { test: 'test/examples.full.test.ts' }],
  [/curl .+\/fhir\/\$bulk-publish'/, { test: 'test/open-feed.full.test.ts' }],
  [/export SLOTS_API_KEY='svc_sk_\.\.\.'/, { test: 'test/examples.full.test.ts' }],
  [/curl -fsS -o slots\.csv .+/, { reason: 'is cut short in the text' }],
  [/npm run -s slots --|npx node src\/main\.ts/, { reason: 'is the beginning of each command' }],
]
