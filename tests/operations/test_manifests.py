"""What is applied to a cluster: valid, safe, and in step with the server's settings and image."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from durak_server.config import load_settings
from tests.operations.tools import K8S, ROOT, Manifest, manifest, manifests, rendered, run, tool

OVERLAYS = ("development", "production")
OF_THE_PROMETHEUS_OPERATOR = {"PrometheusRule", "ServiceMonitor"}
each_overlay = pytest.mark.parametrize("overlay", OVERLAYS)


def server(overlay: str) -> Manifest:
    """The pod that serves."""
    pod: Manifest = manifest(overlay, "StatefulSet")["spec"]["template"]
    return pod


def container(overlay: str) -> Manifest:
    (found,) = server(overlay)["spec"]["containers"]
    only: Manifest = found
    return only


def variables(overlay: str) -> dict[str, str]:
    """The server's environment."""
    (source,) = container(overlay)["envFrom"]
    data: dict[str, str] = manifest(overlay, "ConfigMap", "durak-settings")["data"]
    assert source["configMapRef"]["name"].startswith("durak-settings-")
    return data


@each_overlay
def test_kubernetes_accepts_every_object(overlay: str) -> None:
    out = run(tool("kubernetes-validate"), "--strict", "-", stdin=rendered(overlay))
    verdicts = re.findall(r"^(\w+) +\S* *(.*)$", out, re.MULTILINE)
    unknown = {re.findall(r"kind (\w+)", text)[0] for level, text in verdicts if level == "WARN"}
    assert {level for level, _ in verdicts} <= {"INFO", "WARN"}
    assert unknown == (OF_THE_PROMETHEUS_OPERATOR if overlay == "production" else set())
    assert len(verdicts) == len(manifests(overlay))


def test_no_policy_is_broken_and_none_is_waived_without_a_reason(tmp_path: Path) -> None:
    for overlay in OVERLAYS:
        (tmp_path / f"{overlay}.yaml").write_text(rendered(overlay))
    options = ("--framework", "kubernetes", "--skip-download", "--output", "json")
    printed = run(tool("checkov"), *options, "--soft-fail", "--directory", str(tmp_path))
    report = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])
    assert [check["check_id"] for check in report["results"]["failed_checks"]] == []
    assert report["summary"]["passed"] > 160
    waived = [check["check_result"] for check in report["results"]["skipped_checks"]]
    assert [each for each in waived if len(each["suppress_comment"]) < 20] == []


@each_overlay
def test_the_settings_are_ones_that_the_server_takes(overlay: str, tmp_path: Path) -> None:
    given = {
        name.removeprefix("DURAK_").lower(): value for name, value in variables(overlay).items()
    }
    if "token_secret_file" in given:
        given["token_secret_file"] = str(tmp_path / "secret")
        (tmp_path / "secret").write_text("s" * 32)
    assert load_settings(**given).listen == "0.0.0.0:50051"


@each_overlay
def test_a_pod_has_the_time_that_its_drain_takes(overlay: str) -> None:
    settings = variables(overlay)
    settle = float(settings["DURAK_DRAIN_SETTLE_SECONDS"])
    grace = float(settings["DURAK_DRAIN_GRACE_SECONDS"])
    allowed = server(overlay)["spec"]["terminationGracePeriodSeconds"]
    assert settle + grace + 5 <= allowed <= 120


@each_overlay
def test_the_server_can_write_its_data_and_nothing_else(overlay: str) -> None:
    pod, box = server(overlay)["spec"], container(overlay)
    assert box["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    writable = {mount["mountPath"] for mount in box["volumeMounts"] if not mount.get("readOnly")}
    assert writable == {variables(overlay)["DURAK_DATA"], "/tmp"}


@each_overlay
def test_the_pod_runs_as_the_image_is_made(overlay: str) -> None:
    image = (ROOT / "Dockerfile").read_text()
    pod = server(overlay)["spec"]["securityContext"]
    (user,) = re.findall(r"^USER (\d+):(\d+)$", image, re.MULTILINE)
    assert user == (str(pod["runAsUser"]), str(pod["runAsGroup"]))
    ports = " ".join(str(port["containerPort"]) for port in container(overlay)["ports"])
    assert re.findall(r"^EXPOSE (.*)$", image, re.MULTILINE) == [ports]


@each_overlay
def test_one_server_owns_the_volume(overlay: str) -> None:
    spec = manifest(overlay, "StatefulSet")["spec"]
    (claim,) = spec["volumeClaimTemplates"]
    assert spec["replicas"] == 1
    assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
    assert spec["persistentVolumeClaimRetentionPolicy"]["whenDeleted"] == "Retain"


@each_overlay
def test_everything_that_selects_pods_selects_the_server(overlay: str) -> None:
    labels = server(overlay)["metadata"]["labels"]
    selectors: list[dict[str, Any]] = [  # Any: labels
        manifest(overlay, "StatefulSet")["spec"]["selector"]["matchLabels"],
        manifest(overlay, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        manifest(overlay, "NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
        manifest(overlay, "Service")["spec"]["selector"],
        manifest(overlay, "Service", "durak-pods")["spec"]["selector"],
    ]
    assert [selector for selector in selectors if selector.items() > labels.items()] == []
    assert all(selectors)


@each_overlay
def test_metrics_are_for_monitoring_and_the_api_for_everybody(overlay: str) -> None:
    spec = manifest(overlay, "NetworkPolicy")["spec"]
    api, metrics = spec["ingress"]
    assert api == {"ports": [{"port": "grpc"}]}
    assert metrics["ports"] == [{"port": "metrics"}]
    assert metrics["from"][0]["namespaceSelector"]["matchLabels"] == {
        "kubernetes.io/metadata.name": "monitoring"
    }
    assert (spec["policyTypes"], spec["egress"]) == (["Ingress", "Egress"], [])


def test_without_tls_the_probes_are_grpcs_own_and_with_it_the_status_pages() -> None:
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    plain = [container("development")[probe] for probe in probes]
    secured = [container("production")[probe] for probe in probes]
    services = [probe["grpc"].get("service", "") for probe in plain]
    assert services == ["", "liveness", "durak.v1.PlayService"]
    assert [probe["httpGet"]["path"] for probe in secured] == ["/readyz", "/livez", "/readyz"]
    assert not any("httpGet" in probe for probe in plain)
    assert not any("grpc" in probe for probe in secured)


def test_secrets_are_files_and_stand_nowhere_in_the_manifests() -> None:
    assert "Secret" not in {each["kind"] for each in manifests("production")}
    volumes = {volume["name"]: volume for volume in server("production")["spec"]["volumes"]}
    settings = variables("production")
    for volume, variable in (
        ("tls", "DURAK_TLS_CERTIFICATE"), ("tls", "DURAK_TLS_KEY"),
        ("token", "DURAK_TOKEN_SECRET_FILE"),
    ):  # fmt: skip
        (mount,) = [m for m in container("production")["volumeMounts"] if m["name"] == volume]
        assert settings[variable].startswith(f"{mount['mountPath']}/")
        assert mount["readOnly"] is True
        assert volumes[volume]["secret"]["secretName"] == f"durak-{volume}"


def test_prometheus_finds_the_metrics_port() -> None:
    monitor = manifest("production", "ServiceMonitor")["spec"]
    pods = manifest("production", "Service", "durak-pods")
    wanted = monitor["selector"]["matchLabels"]
    assert wanted.items() <= pods["metadata"]["labels"].items()
    assert not wanted.items() <= manifest("production", "Service")["metadata"]["labels"].items()
    (endpoint,) = monitor["endpoints"]
    assert endpoint["port"] in {port["name"] for port in pods["spec"]["ports"]}
    assert pods["spec"]["publishNotReadyAddresses"] is True


def test_the_operator_gets_the_rules_that_promtool_has_tried() -> None:
    rule = manifest("production", "PrometheusRule")
    assert rule["spec"] == yaml.safe_load((K8S / "monitoring" / "alerts.yaml").read_text())


def test_grafana_gets_every_board() -> None:
    boards = manifest("production", "ConfigMap", "durak-dashboards")
    assert boards["metadata"]["labels"]["grafana_dashboard"] == "1"
    files = {path.name for path in (K8S / "monitoring" / "dashboards").iterdir()}
    assert set(boards["data"]) == files
