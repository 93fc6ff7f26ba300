import { parentPort } from 'node:worker_threads';
import { type CheckTask, type PreviewTask, runTrial } from './trial';

parentPort?.on('message', (task: CheckTask | PreviewTask) => parentPort?.postMessage(runTrial(task)));
// Everything is loaded: from here on its time counts.
parentPort?.postMessage('ready');
