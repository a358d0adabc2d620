import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';
import { n8nFolder } from '../../demo/setup/paths.mjs';

/*
 * The parts of the installed n8n that run a workflow, started as its own start command does: database,
 * credentials helper, loader of nodes, deduplication, expression engine. The server, the editor and the saving of executions
 * are missing, because they cost the same for every node.
 */

const require = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'));

interface Container {
	get: <T = any>(type: unknown) => T;
}

export interface N8n {
	core: typeof Core;
	workflow: typeof Workflow;
	nodeTypes: Workflow.INodeTypes;
	additionalData: () => Promise<Workflow.IWorkflowExecuteAdditionalData>;
	credentialsRepository: { save: (credential: object) => Promise<unknown> };
	workflowRepository: { save: (workflow: object) => Promise<unknown> };
}

/**
 * Loads n8n into this process.
 * @param migrate creates the tables of a new database, and the encryption keys of credentials
 */
export async function bootN8n({ migrate = false } = {}): Promise<N8n> {
	require('reflect-metadata');
	require('../dist/config');
	// n8n's start command does the same. Otherwise every connection would start two timers.
	require('node:net').setDefaultAutoSelectFamily(false);

	const { Container: container } = require('@n8n/di') as { Container: Container };
	const db = require('@n8n/db');
	const core = require('n8n-core') as typeof Core;
	const workflow = require('n8n-workflow') as typeof Workflow;
	const { LicenseState } = require('@n8n/backend-common');
	const { License } = require('../dist/license.js');
	const { LoadNodesAndCredentials } = require('../dist/load-nodes-and-credentials.js');
	const { NodeTypes } = require('../dist/node-types.js');
	const {
		EncryptionBootstrapService,
	} = require('../dist/encryption/encryption-bootstrap.service.js');
	const { getBase } = require('../dist/workflow-execute-additional-data.js');

	const connection = container.get(db.DbConnection);
	await connection.init();
	if (migrate) await connection.migrate();
	await container
		.get(core.InstanceSettings)
		.initialize(container.get(db.DeploymentKeyRepository), { canSeed: true });
	await container.get(EncryptionBootstrapService).run();
	container.get(LicenseState).setLicenseProvider(container.get(License));

	const loader = container.get(LoadNodesAndCredentials);
	await loader.init();
	if (!migrate) {
		// n8n does the same for a package that was installed in Settings → Community nodes.
		await loader.loadPackage('n8n-nodes-messaging');
		await loader.postProcessLoaders();
	}
	loader.releaseTypes();
	// The messages' node writes its crash note there.
	const { getDataDeduplicationService } = require('../dist/deduplication/index.js');
	await core.DataDeduplicationService.init(getDataDeduplicationService());
	await startExpressions(container, workflow);

	return {
		core,
		workflow,
		nodeTypes: container.get(NodeTypes),
		additionalData: async () => await getBase({}),
		credentialsRepository: container.get(db.CredentialsRepository),
		workflowRepository: container.get(db.WorkflowRepository),
	};
}

/** Starts n8n's default expression engine. */
async function startExpressions(container: Container, { Expression }: typeof Workflow) {
	const { GlobalConfig } = require('@n8n/config');
	const {
		ExpressionObservabilityProvider,
	} = require('../dist/expression-observability/expression-observability.provider.js');
	const { idleTimeout, ...settings } = container.get(GlobalConfig).expressionEngine;
	await Expression.initExpressionEngine({
		...settings,
		idleTimeoutMs: idleTimeout === undefined ? undefined : idleTimeout * 1000,
		observability: container.get(ExpressionObservabilityProvider),
	});
	const active = Expression.getActiveImplementation();
	if (active !== 'vm') throw new Error(`n8n's default expression engine is ${active}, not vm.`);
}
