import { sharedService } from '../support/runner/shared-services.ts'
import { PostgresDatabases } from './postgres-databases.ts'
import { PostgresServer } from './postgres-server.ts'

/**
 * The PostgreSQL server that all files of a test run share; disposing of it drops the databases that the caller created. A file
 * that runs without `npm test` gets a server of its own. A test that stops or configures its server starts a `PostgresServer`.
 */
export async function sharedPostgres(): Promise<PostgresDatabases & AsyncDisposable> {
  const shared = await sharedService('postgres')
  return shared === undefined ? PostgresServer.start() : new SharedPostgres(shared.port)
}

class SharedPostgres extends PostgresDatabases implements AsyncDisposable {
  [Symbol.asyncDispose](): Promise<void> {
    return this.dropDatabases()
  }
}
