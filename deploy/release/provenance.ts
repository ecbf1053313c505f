import { createHash } from 'node:crypto'

/** A file of a release. */
export interface ReleaseFile {
  readonly name: string
  readonly bytes: Buffer
}

/** The source of a release. */
export interface ReleaseSource {
  readonly version: string
  /** Hash of the commit. */
  readonly commit: string
  /** SHA-256 of package-lock.json, in hexadecimal. */
  readonly lockSha256: string
  readonly nodeVersion: string
  /** URI of what ran the build. */
  readonly builder: string
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The lines that `sha256sum --check` reads. */
export function checksums(files: readonly ReleaseFile[]): string {
  return files.map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`).join('')
}

/** `npm run release:artifacts`. */
const BUILD_TYPE = 'urn:scheduling-slots:release-artifacts:1'

/** States of which commit and packages the files were built: an in-toto statement (v1) with SLSA provenance (v1), unsigned. */
export function provenanceOf(files: readonly ReleaseFile[], source: ReleaseSource): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, bytes }) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { version: source.version },
        internalParameters: { node: source.nodeVersion },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: source.commit } },
          { name: 'package-lock.json', digest: { sha256: source.lockSha256 } },
        ],
      },
      runDetails: { builder: { id: source.builder } },
    },
  }
}
