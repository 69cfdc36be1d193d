import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.concurrent.TimeUnit;

/** A server with the health service, and a client of it: calls that succeed, fail, and stream. */
public class Grpc {
    public static void main(String[] args) throws Exception {
        HealthStatusManager health = new HealthStatusManager();
        Server server = NettyServerBuilder.forPort(0).addService(health.getHealthService()).build().start();
        health.setStatus("shop", ServingStatus.SERVING);
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
        HealthGrpc.HealthBlockingStub stub = HealthGrpc.newBlockingStub(channel);
        System.out.println(stub.check(HealthCheckRequest.newBuilder().setService("shop").build()).getStatus());
        try {
            stub.check(HealthCheckRequest.newBuilder().setService("none").build());
        } catch (StatusRuntimeException e) {
            System.out.println(e.getStatus());
        }
        var updates = stub.watch(HealthCheckRequest.newBuilder().setService("shop").build());
        System.out.println(updates.next().getStatus());
        health.setStatus("shop", ServingStatus.NOT_SERVING);
        System.out.println(updates.next().getStatus());
        for (int i = 0; i < 100; i++) stub.check(HealthCheckRequest.newBuilder().setService("shop").build());
        channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
        System.out.println("stopped " + channel.isTerminated() + " " + server.isTerminated());
        System.exit(0);
    }
}
