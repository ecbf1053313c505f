import { shall, shallNot, should, shouldNot, statementsOf } from './statement.ts'

const ONE_READING = 'it compares publications at different times, and a check reads one'

/** The requirements (SHALL) and recommendations (SHOULD) of Bulk Publish (HL7 Bulk Data Access 4) for a data provider. */
export const BULK_PUBLISH_STATEMENTS = statementsOf('bulk-publish', [
  shall('publish-1', 'Manifest request: endpoint', {
    text: 'A GET of a URL that ends in `$bulk-publish` returns the manifest.',
    rules: ['manifest-unreadable', 'manifest-name'],
    needs: ['manifest', 'http'],
  }),
  shall('publish-2', 'Manifest request: endpoint', {
    text: 'A request with an entity tag gets the manifest, unless the tag is the current one.',
    rules: ['http-not-modified-blindly'],
    needs: ['manifest', 'http'],
  }),
  shall('publish-3', 'Response: manifest', {
    text: 'The manifest is sent with 200 as `application/json`.',
    rules: ['manifest-unreadable', 'http-manifest-type'],
    needs: ['manifest', 'http'],
  }),
  shall('publish-4', 'Response: manifest', {
    text: 'An `ETag` of a manifest changes when the manifest does.',
    rules: ['http-validator-form'],
    needs: ['manifest', 'http'],
    unchecked: ONE_READING,
  }),
  shall('publish-5', 'Response: manifest', {
    text: 'The files can be read at the URLs of the manifest.',
    rules: ['file-unreadable', 'output-url', 'output-url-relative'],
    needs: ['manifest', 'http', 'files'],
  }),
  shall('publish-6', 'Response: manifest', {
    text: '`transactionTime` says when the files were made.',
    rules: ['manifest-transaction-time', 'manifest-published-later'],
    needs: ['manifest'],
  }),
  shall('publish-7', 'Response: manifest', {
    text: 'The files contain every change up to `transactionTime`.',
    unchecked: 'the data of the publisher before its publication cannot be seen',
  }),
  shouldNot('publish-8', 'Response: manifest', {
    text: 'The files contain no resources that were modified after `transactionTime`.',
    unchecked: 'resources need not say when they were modified',
  }),
  shallNot('publish-9', 'Response: manifest', {
    text: 'The URL of a file is never used again for other content.',
    unchecked: ONE_READING,
  }),
  should('publish-10', 'Response: manifest', {
    text: 'Files that leave the manifest can be read for some time.',
    unchecked: ONE_READING,
  }),
  should('publish-11', 'Response: manifest', {
    text: '`updateCadence` says how often the manifest changes.',
    rules: ['manifest-cadence-missing', 'manifest-cadence'],
    needs: ['manifest'],
  }),
  should('publish-12', 'Response: manifest', {
    text: 'The manifest has a reasonable `Cache-Control`.',
    rules: ['http-max-age', 'http-max-age-long', 'http-no-store'],
    needs: ['manifest', 'http'],
  }),
  should('publish-13', 'Response: manifest', {
    text: 'Immutable files are sent with a long `Cache-Control`.',
    rules: ['http-immutable'],
    needs: ['manifest', 'http', 'files'],
  }),
  shall('publish-14', 'Response: manifest, paging', {
    text: 'A page links to at most one next page, by a URL or a word of the specification.',
    rules: ['manifest-link', 'manifest-page'],
    needs: ['manifest'],
  }),
  shall('publish-15', 'Response: manifest, paging', {
    text: 'All pages have the same values, except for their files, their link and the time of an update.',
    rules: ['manifest-page-differs', 'manifest-page-earlier'],
    needs: ['manifest', 'pages'],
  }),
  shall('publish-16', 'Response: error', {
    text: 'Errors have a status of 4xx or 5xx; an OperationOutcome is sent as `application/fhir+json`.',
    unchecked: 'a check causes no errors',
  }),
  should('publish-17', 'Response: error', {
    text: 'The body of an error is an OperationOutcome.',
    unchecked: 'a check causes no errors',
  }),
  shallNot('publish-18', 'Incremental updates', {
    text: 'The first page of a manifest does not link to `#pending`.',
    rules: ['manifest-pending-root'],
    needs: ['manifest'],
  }),
  shall('publish-19', 'Incremental updates', {
    text: 'A chain that gets updates ends in `#pending`; one that is over ends in `#closed`, and the first page leads elsewhere.',
    rules: ['manifest-closed'],
    needs: ['manifest', 'pages'],
  }),
  shouldNot('publish-20', 'Incremental updates', {
    text: 'A page that ends in `#pending` is not sent with a long `Cache-Control`.',
    rules: ['http-max-age-long'],
    needs: ['manifest', 'http', 'pages'],
  }),
  shall('publish-21', 'Manifest elements', {
    text: '`manifestType` names the manifest of Bulk Publish.',
    rules: ['manifest-type'],
    needs: ['manifest'],
  }),
  shall('publish-22', 'Manifest elements', {
    text: '`requiresAccessToken` says whether the files need a token.',
    rules: ['manifest-access-token-missing'],
    needs: ['manifest'],
  }),
  shall('publish-23', 'Manifest elements', {
    text: 'Each entry of `output` has an absolute URL and, unless files are organized by a resource, a type.',
    rules: ['output-entry', 'output-url', 'output-url-relative'],
    needs: ['manifest'],
  }),
  shall('publish-24', 'Manifest elements', {
    text: '`count` and `fileSize`, where they are given, are those of the file.',
    rules: ['output-count', 'output-file-size'],
    needs: ['manifest', 'files'],
  }),
  shall('publish-25', 'Manifest elements: deleted', {
    text: 'Files of `deleted` have transaction Bundles that name the resources to delete.',
    rules: ['deleted-bundle', 'deleted-bundle-type'],
    needs: ['Bundle'],
  }),
  should('publish-26', 'Manifest elements: outcome', {
    text: 'Messages about the data are OperationOutcomes in files of their own, not in `output`.',
    rules: ['outcome-entry', 'outcome-file'],
    needs: ['OperationOutcome'],
  }),
  shall('publish-27', 'Output file request', {
    text: 'Files of a manifest with `requiresAccessToken: false` can be read without a token.',
    rules: ['directory-token-needed'],
    needs: ['manifest', 'open', 'probes'],
  }),
  shall('publish-28', 'Output file request', {
    text: 'A file has only the latest version of each resource.',
    rules: ['resource-version-repeated', 'resource-published-twice', 'slot-published-twice'],
    needs: ['Slot'],
  }),
  shall('publish-29', 'Output file request', {
    text: 'A compressed file is sent with `Content-Encoding`, in a form that the client accepts.',
    rules: ['ndjson-gzip'],
    needs: ['manifest', 'http', 'files'],
  }),
  shall('publish-30', 'Output file request: response', {
    text: 'A file is sent with 200 as `application/fhir+ndjson`.',
    rules: ['file-unreadable', 'http-file-type'],
    needs: ['manifest', 'http', 'files'],
  }),
  shall('publish-31', 'Output file organization', {
    text: 'Without `outputOrganizedBy`, a file has resources of one type.',
    rules: ['resource-type', 'resource-type-elsewhere'],
    needs: ['Slot'],
  }),
  shall('publish-32', 'Output file organization', {
    text: 'With `outputOrganizedBy`, a file has blocks that begin with a header, and entries name the file of the rest.',
    unchecked: 'files that are organized by a resource are not read',
  }),
  should('publish-33', 'Output file organization: attachments', {
    text: 'Attachments have a content type and either their data or an absolute URL that can be read as the files can.',
    unchecked: 'attachments are not read',
  }),
  should('publish-34', 'Security considerations', {
    text: 'Requests are protected by TLS 1.2 or later.',
    rules: ['http-secure'],
    needs: ['http', 'remote'],
  }),
])
